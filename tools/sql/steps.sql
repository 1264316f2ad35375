-- Steps that the program marked, of each rank: length, and kernels' time in each.
with marked as (
  select name as step, rank, ts, dur
  from slice
  where kind = 'span' and name like 'ProfilerStep%'
)
select m.step, m.rank, m.ts, m.dur as wall_ns,
       sum(case when s.kind = 'kernel' then s.dur else 0 end) as kernel_ns,
       count(case when s.kind = 'kernel' then 1 end) as kernels
from marked m
left join slice s on s.step = m.step and s.rank is not distinct from m.rank
group by m.step, m.rank, m.ts, m.dur
order by m.ts, m.rank
