extension KernelOperation {
    /// Rows of Q6_K weights by activations: 6.6 bits per weight, with one scale per 16 weights.
    public static let matvecQ6_K = QuantizedOperation.make(
        .q6_k,
        portable: "joins 4 low bits and 2 high bits per weight; sums 16 products in integers, times an 8-bit scale",
        avx2: "vpmaddubsw, then vpmaddwd multiplies the pairs by the two scales of a run",
        vnni: "transposes the sixteen runs of two blocks to one lane each; each half has its own scale")
}
