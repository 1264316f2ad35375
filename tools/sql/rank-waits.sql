-- Which rank waits for which: waits in collectives, and the waits of others that each rank caused by beginning last.
select rank, calls as collectives, wait_ns, transfer_ns, times_last, caused_ns
from communication_ranks
order by caused_ns desc, rank
