-- Memory of each place: allocations, the peak, and the operator that ran then.
select place, allocations, allocated_bytes, peak_bytes, peak_reserved_bytes, peak_operator, peak_at_ns
from memory
order by peak_bytes desc, place
