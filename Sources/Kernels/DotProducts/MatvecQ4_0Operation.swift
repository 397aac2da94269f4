extension KernelOperation {
    /// Rows of Q4_0 weights, 4.5 bits each, by activations.
    public static let matvecQ4_0 = QuantizedOperation.make(
        .q4_0,
        portable: "expands nibbles to bytes, sums 32 products in integers, then applies the two scales",
        avx2: "a run in one register: low and high nibbles side by side, vpmaddubsw; four rows share x",
        vnni: "transposes nibbles of sixteen runs; the sum of x corrects for their offset of 8")
}
