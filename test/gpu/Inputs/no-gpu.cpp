// A driver that finds no GPU.
extern "C" int cuInit(unsigned) { return 100; }
extern "C" int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
