-- By step: kernels' time of the rank or track with the most over the mean of all; 1 is balanced.
with sums as (
  select step, coalesce(rank, track_id) as place, sum(dur) as total_ns
  from slice
  where kind = 'kernel' and step is not null
  group by step, coalesce(rank, track_id)
)
select step, count(*) as places, sum(total_ns) as total_ns, max(total_ns) as most_ns,
       1.0 * max(total_ns) * count(*) / sum(total_ns) as imbalance
from sums
group by step
order by imbalance desc, step
