extension KernelOperation {
    /// Rows of Q6_K weights, 6.6 bits each with a scale by 16, by activations.
    public static let matvecQ6_K = QuantizedOperation.make(
        .q6_k,
        portable: "joins four bits and two to a byte; sums 16 products in integers, times their 8-bit scale",
        avx2: "vpmaddubsw, then vpmaddwd multiplies the pairs by the two scales of a run",
        vnni: "transposes the sixteen runs of two blocks to one lane each; each half has its own scale")
}
