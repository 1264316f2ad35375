-- Kernels with the most time: calls, total, mean, and the share of all kernels' time.
select name, device, count(*) as calls, sum(dur) as total_ns, sum(dur) / count(*) as mean_ns,
       100.0 * sum(dur) / sum(sum(dur)) over () as percent
from slice
where kind = 'kernel'
group by name, device
order by total_ns desc, name, device
