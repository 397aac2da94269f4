extension KernelOperation {
    /// Rows of Q8_0 weights, 8.5 bits each, by activations.
    public static let matvecQ8_0 = QuantizedOperation.make(
        .q8_0,
        portable: "sums 32 products of bytes in integers, then multiplies by the two scales",
        avx2: "a run in one register: vpmaddubsw of |w| and x with w's sign; four rows share x",
        vnni: "transposes sixteen runs to one lane each, so vpdpbusd needs no sums across lanes")
}
