-- Copies and fills of devices: how many, how long.
select name, device, count(*) as calls, sum(dur) as total_ns
from slice
where kind = 'copy'
group by name, device
order by total_ns desc, name, device
