-- Operators by the time of the device work that they launched, directly or by an operator inside.
select o.name, count(distinct o.id) as calls_with_work, count(*) as launched, sum(s.dur) as device_ns
from slice s
join slice o on s.operator_id = o.id
where s.device is not null
group by o.name
order by device_ns desc, o.name
