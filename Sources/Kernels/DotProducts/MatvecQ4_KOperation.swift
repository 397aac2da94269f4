extension KernelOperation {
    /// Rows of Q4_K weights, 4.5 bits each with scales and minima of their own by 32, by activations.
    public static let matvecQ4_K = QuantizedOperation.make(
        .q4_k,
        portable: "a block of 256 stays in integers: runs times 6-bit scales, minima times sums of x, then d and dmin",
        avx2: "nibbles are unsigned: vpmaddubsw as they are; minima meet the sums of x in whole numbers",
        vnni: "two blocks are sixteen runs, transposed to a lane each; scales and minima are vectors")
}
