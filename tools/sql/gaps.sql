-- Times without work of a device, of 10 us or more: why, what came next, and the operator that launched it.
select s.device, s.gap_ns, s.gap_cause, s.name as next_work, l.name as launched_by, o.name as operator, s.ts
from slice s
left join slice l on s.launch_id = l.id
left join slice o on s.operator_id = o.id
where s.gap_ns >= 10000
order by s.gap_ns desc, s.id
