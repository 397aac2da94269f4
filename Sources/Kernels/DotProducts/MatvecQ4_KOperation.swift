extension KernelOperation {
    /// Rows of Q4_K weights, 4.5 bits each with scales and minima of their own by 32, by activations.
    public static let matvecQ4_K = QuantizedOperation.make(
        .q4_k,
        portable: "a block of 256 in integers: runs times 6-bit scales, minima times sums of x, then d and dmin",
        avx2: "vpmaddubsw on unsigned nibbles; minima times sums of x in integers",
        vnni: "transposes the sixteen runs of two blocks to one lane each; scales and minima are vectors")
}
