-- Device kernels shorter than 10 us: launching them may take longer than they do.
select name, count(*) as calls, sum(dur) as total_ns, sum(dur) / count(*) as mean_ns
from slice
where kind = 'kernel' and device is not null
group by name
having sum(dur) / count(*) < 10000
order by calls desc, name
