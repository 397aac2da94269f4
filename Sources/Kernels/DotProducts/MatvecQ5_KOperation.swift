extension KernelOperation {
    /// Rows of Q5_K weights, 5.5 bits each with scales and minima of their own by 32, by activations.
    public static let matvecQ5_K = QuantizedOperation.make(
        .q5_k,
        portable: "as Q4_K, with the fifth bit put above each nibble",
        avx2: "the fifth bits of a run are shifted to their place in one register and join the nibbles",
        vnni: "as Q4_K; every lane turns a word of fifth bits until its own stands at 16")
}
