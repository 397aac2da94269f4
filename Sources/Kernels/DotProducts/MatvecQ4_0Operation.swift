extension KernelOperation {
    /// Rows of Q4_0 weights, 4.5 bits each, by activations.
    public static let matvecQ4_0 = QuantizedOperation.make(
        .q4_0,
        portable: "nibbles become bytes, 32 products are summed in integers, then the two scales",
        avx2: "a run in one register: low nibbles beside high ones, vpmaddubsw; four rows share x",
        vnni: "four words of nibbles from sixteen runs transposed; unsigned already, their 8 comes off by x's sum")
}
