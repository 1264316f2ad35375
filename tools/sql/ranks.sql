-- Kernels' time by rank, next to the mean of the ranks.
with sums as (
  select rank, count(*) as calls, sum(dur) as total_ns
  from slice
  where kind = 'kernel' and rank is not null
  group by rank
)
select rank, calls, total_ns, 1.0 * total_ns / avg(total_ns) over () as of_mean
from sums
order by total_ns desc, rank
