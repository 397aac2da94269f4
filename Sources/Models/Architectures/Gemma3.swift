/// Gemma 3: Gemma 2 without caps, with norms of each head's queries and keys, and five windowed blocks to each that sees
/// everything. The two kinds turn at bases of their own, and only the latter are scaled.
///
///     x += rmsNorm(attention(rmsNorm(x)))       q = rotate(rmsNorm(W_q n)), k the same
///     x += rmsNorm(down(gelu(gate n) · up n))
///
/// - Source: Gemma team, "Gemma 3 technical report", 2025, section 2.
struct Gemma3: Architecture {
    static let families: [ModelFamily] = [.gemma3]

    let decoder: Decoder<SandwichBlock>

    init(_ weights: WeightReader) throws(ModelError) {
        decoder = try Decoder(weights, norm: .rms) { (block) throws(ModelError) in
            try SandwichBlock(gemma: block, normsHeads: true)
        }
    }

    func run(_ pass: ForwardPass) throws(ModelError) {
        try decoder.run(pass) { (block) throws(ModelError) in try block(pass) }
    }
}
