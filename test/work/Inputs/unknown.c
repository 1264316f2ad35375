double unknown(double v) { return v + 1; }
