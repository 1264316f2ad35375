-- Time without work of each device, by its largest cause.
select device, gap_cause, count(*) as gaps, sum(gap_ns) as total_ns
from slice
where gap_ns is not null
group by device, gap_cause
order by total_ns desc
