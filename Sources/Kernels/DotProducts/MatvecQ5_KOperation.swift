extension KernelOperation {
    /// Rows of Q5_K weights, 5.5 bits each with scales and minima of their own by 32, by activations.
    public static let matvecQ5_K = QuantizedOperation.make(
        .q5_k,
        portable: "like Q4_K, with the fifth bit added above each nibble",
        avx2: "shifts the fifth bits of a run into place in one register and adds them to the nibbles",
        vnni: "like Q4_K; every lane rotates a word of fifth bits to move its bit to 16")
}
