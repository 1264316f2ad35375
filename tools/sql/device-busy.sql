-- Time in which each device had work: overlapping work counts once.
with work as (
  select device, ts, ts + dur as until,
         max(ts + dur) over (partition by device order by ts, ts + dur
                             rows between unbounded preceding and 1 preceding) as before
  from slice
  where device is not null and kind in ('kernel', 'copy')
)
select device,
       sum(case when before is null or before <= ts then until - ts
                when before < until then until - before else 0 end) as busy_ns
from work
group by device
order by device
