-- Collectives by kind and size: calls, total, the slowest call over the median, and bus bandwidth.
select kind, size_bytes, calls, total_ns, p50_ns,
       case when p50_ns > 0 then 1.0 * max_ns / p50_ns end as slowest_of_median, bus_gbps
from communication_collectives
order by total_ns desc, kind, size_bytes
