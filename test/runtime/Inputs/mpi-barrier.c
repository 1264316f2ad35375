// A library that calls MPI.
#include <mpi.h>

void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }
