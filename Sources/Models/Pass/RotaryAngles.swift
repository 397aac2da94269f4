internal import Glibc

/// The frequencies by which pairs of numbers turn, with the scalings that reach beyond the length of training.
///
/// θᵢ = base^(-2i/width) turns pair i by position · θᵢ. Powers are taken in float64 and rounded to float32, and angles
/// are products in float32, since models were trained with such.
///
/// - Source: Su et al., RoFormer, 2021, section 3.2.2; the scalings name their own.
package struct RotaryAngles: Sendable {
    let pairs: Int
    private let base: Double
    private let width: Int
    private let scaling: RotaryScaling
    private let fixed: [Float]

    /// - Parameter isWindowed: windowed layers have their own base where the model gives one, and no scaling then.
    package init(_ rotary: RotaryEmbedding, isWindowed: Bool) {
        let ownBase = isWindowed ? rotary.windowedBase : nil
        base = Double(ownBase ?? rotary.base)
        width = rotary.width
        pairs = rotary.width / 2
        scaling = ownBase == nil ? rotary.scaling : .none
        fixed = Self.frequencies(base: base, width: width, scaling: scaling)
    }

    /// What cosines and sines are multiplied by.
    package var amplitude: Float {
        switch scaling {
        case .yarn(let factor, _, _, _, let attentionFactor):
            // Peng et al., YaRN, 2023, equation 22.
            attentionFactor ?? (factor > 1 ? Float(0.1 * log(Double(factor)) + 1) : 1)
        case .longrope(_, _, _, let attentionFactor): attentionFactor
        default: 1
        }
    }

    /// Returns θ of every pair, for a sequence of `length` positions.
    package func frequencies(length: Int) -> [Float] {
        switch scaling {
        case .dynamic(let factor, let original) where length > original && width > 2:
            // "NTK-aware" scaling, dynamic: the base grows with the length.
            let growth = Double(factor) * Double(length) / Double(original) - (Double(factor) - 1)
            let larger = base * pow(growth, Double(width) / Double(width - 2))
            return Self.plain(base: larger, width: width)
        case .longrope(_, let long, let original, _) where length > original:
            return Self.divide(Self.plain(base: base, width: width), by: long)
        default: return fixed
        }
    }

    /// Cosines and sines of one position, `[pairs]` each.
    func fill(
        position: Int, frequencies: UnsafeBufferPointer<Float>, cosines: UnsafeMutablePointer<Float>,
        sines: UnsafeMutablePointer<Float>
    ) {
        let amplitude = amplitude
        for pair in 0..<pairs {
            let angle = Double(Float(position) * frequencies[pair])
            cosines[pair] = Float(cos(angle)) * amplitude
            sines[pair] = Float(sin(angle)) * amplitude
        }
    }

    private static func plain(base: Double, width: Int) -> [Float] {
        (0..<width / 2).map { Float(1 / pow(base, Double(2 * $0) / Double(width))) }
    }

    private static func divide(_ frequencies: [Float], by factors: [Float]) -> [Float] {
        frequencies.enumerated().map { $0.offset < factors.count ? $0.element / factors[$0.offset] : $0.element }
    }

    private static func frequencies(base: Double, width: Int, scaling: RotaryScaling) -> [Float] {
        let plain = plain(base: base, width: width)
        switch scaling {
        case .none, .dynamic: return plain
        case .linear(let factor): return plain.map { $0 / factor }
        case .factors(let factors): return divide(plain, by: factors)
        case .longrope(let short, _, _, _): return divide(plain, by: short)
        case .llama3(let factor, let low, let high, let original):
            return plain.map { llama3($0, factor: factor, low: low, high: high, original: Float(original)) }
        case .yarn(let factor, let original, let fast, let slow, _):
            return yarn(
                plain, base: base, width: width, factor: factor, original: Double(original), fast: Double(fast),
                slow: Double(slow))
        }
    }

    /// Long waves are stretched by the factor, short ones stay, and between the two it is a mixture.
    ///
    /// - Source: Grattafiori et al., "The Llama 3 herd of models", 2024, and the code that was published with 3.1.
    private static func llama3(_ frequency: Float, factor: Float, low: Float, high: Float, original: Float) -> Float {
        let wavelength = 2 * Float.pi / frequency
        if wavelength < original / high { return frequency }
        if wavelength > original / low { return frequency / factor }
        let smooth = (original / wavelength - low) / (high - low)
        return (1 - smooth) * frequency / factor + smooth * frequency
    }

    /// Pairs that turn often within the original length stay, those that turn less than once are stretched, and between
    /// the two it is a ramp.
    ///
    /// - Source: Peng et al., YaRN, 2023, section 3.2.
    private static func yarn(
        _ plain: [Float], base: Double, width: Int, factor: Float, original: Double, fast: Double, slow: Double
    ) -> [Float] {
        func pair(ofRotations rotations: Double) -> Double {
            Double(width) * log(original / (rotations * 2 * .pi)) / (2 * log(base))
        }
        let first = max(pair(ofRotations: fast).rounded(.down), 0)
        var last = min(pair(ofRotations: slow).rounded(.up), Double(width - 1))
        if last == first { last += 0.001 }
        return plain.enumerated().map { index, frequency in
            let ramp = Float(min(max((Double(index) - first) / (last - first), 0), 1))
            return frequency / factor * ramp + frequency * (1 - ramp)
        }
    }
}
