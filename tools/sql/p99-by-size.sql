-- Median and 99th percentile of each kernel's calls by the bytes that a call moves, where that is known.
with ranked as (
  select name, device, bytes, dur, row_number() over (partition by name, device, bytes order by dur) as place,
         count(*) over (partition by name, device, bytes) as calls
  from slice
  where kind = 'kernel' and bytes is not null
)
select name, device, bytes, max(calls) as calls,
       min(case when place >= 0.50 * calls then dur end) as p50_ns,
       min(case when place >= 0.99 * calls then dur end) as p99_ns, max(dur) as max_ns
from ranked
group by name, device, bytes
order by name, device, bytes
