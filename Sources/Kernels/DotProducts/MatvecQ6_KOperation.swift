extension KernelOperation {
    /// Rows of Q6_K weights, 6.6 bits each with a scale by 16, by activations.
    public static let matvecQ6_K = QuantizedOperation.make(
        .q6_k,
        portable: "four bits and two become a byte; 16 products are summed in integers, times their 8-bit scale",
        avx2: "vpmaddubsw, then the pairs meet the two scales of a run in vpmaddwd",
        vnni: "two blocks are sixteen runs, transposed to a lane each; front and back halves have scales of their own")
}
