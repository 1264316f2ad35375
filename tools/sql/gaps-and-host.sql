-- Times without work of a device of 1 ms or more, and the operator on the host that ran for most of each.
with gaps as (
  select id, device, gap_ns, gap_cause, name as next_work, ts - gap_ns as gap_ts, ts as gap_end
  from slice
  where gap_ns >= 1000000
), during as (
  select g.id, o.name, sum(least(o.ts + o.dur, g.gap_end) - greatest(o.ts, g.gap_ts)) as ns
  from gaps g
  join slice o on o.kind = 'operator' and o.parent_id is null and o.ts < g.gap_end and o.ts + o.dur > g.gap_ts
  group by g.id, o.name
), best as (
  select id, name, ns, row_number() over (partition by id order by ns desc, name) as place
  from during
)
select g.device, g.gap_ns, g.gap_cause, g.next_work, b.name as host_operator, b.ns as host_ns, g.gap_ts
from gaps g
left join best b on b.id = g.id and b.place = 1
order by g.gap_ns desc, g.id
