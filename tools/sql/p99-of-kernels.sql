-- Median and 99th percentile of each kernel's calls, by the nearest rank, as the report has them.
with ranked as (
  select name, device, dur, row_number() over (partition by name, device order by dur) as place,
         count(*) over (partition by name, device) as calls
  from slice
  where kind = 'kernel'
)
select name, device, max(calls) as calls,
       min(case when place >= 0.50 * calls then dur end) as p50_ns,
       min(case when place >= 0.99 * calls then dur end) as p99_ns, max(dur) as max_ns
from ranked
group by name, device
order by p99_ns desc, name, device
