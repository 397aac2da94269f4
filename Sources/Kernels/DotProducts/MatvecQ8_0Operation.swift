extension KernelOperation {
    /// Rows of Q8_0 weights, 8.5 bits each, by activations.
    public static let matvecQ8_0 = QuantizedOperation.make(
        .q8_0,
        portable: "32 products of bytes are summed in integers; one multiplication by the two scales follows",
        avx2: "a run in one register: vpmaddubsw of |w| and x with w's sign; four rows share x",
        vnni: "sixteen runs transposed to a lane each: vpdpbusd sums them without adding across lanes")
}
