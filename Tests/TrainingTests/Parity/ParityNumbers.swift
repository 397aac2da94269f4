import Tensors
import Training

/// The numbers that Goldens/parity/parity.py begins with too, bit for bit: a 64-bit LCG (Knuth's MMIX constants) that
/// starts at the FNV-1a hash of a name.
struct ParityNumbers {
    private var state: UInt64

    init(_ name: String) {
        state = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// 32 bits.
    mutating func word() -> UInt32 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt32(state >> 32)
    }

    /// 24 bits: a number of [0, 1) that float32 holds.
    mutating func unit() -> Double { Double(word() >> 8) / 0x1p24 }

    static func values(_ name: String, _ count: Int, _ range: Range<Double>) -> [Double] {
        var numbers = ParityNumbers(name)
        return (0..<count).map { _ in range.lowerBound + (range.upperBound - range.lowerBound) * numbers.unit() }
    }

    static func tensor(_ name: String, _ shape: [Int], _ range: Range<Double>) throws -> Tensor<Float> {
        try Tensor(values(name, shape.reduce(1, *), range).map { Float($0) }, shape: shape)
    }

    /// The beginning of a parameter of a job.
    static func parameter(_ job: String, _ name: String, _ shape: [Int]) throws -> Parameter<Float> {
        let bound: Double
        if name.hasSuffix("norm.weight") {
            return Parameter(name, try tensor("\(job)/\(name)", shape, 0.9..<1.1))
        } else if shape.count == 1 {
            bound = 0.05
        } else if job == "gpt" {
            bound = 0.1
        } else {
            bound = (3 / Double(shape.dropFirst().reduce(1, *))).squareRoot()
        }
        return Parameter(name, try tensor("\(job)/\(name)", shape, -bound..<bound))
    }

    /// Two tables of four successors for each symbol; the parity of the symbol two back picks the table.
    static func text(_ length: Int, symbols: Int) -> [Int32] {
        var table = ParityNumbers("text/table")
        let successors = (0..<8 * symbols).map { _ in Int32(table.word() % UInt32(symbols)) }
        let limits = [0.5, 0.75, 0.9].map { UInt32($0 * 0x1p32) }
        var draws = ParityNumbers("text/draws")
        var text: [Int32] = [0, 1]
        while text.count < length {
            let draw = draws.word()
            let place = limits.count { draw >= $0 }
            text.append(successors[(Int(text[text.count - 2] & 1) * symbols + Int(text[text.count - 1])) * 4 + place])
        }
        return text
    }

    /// Labels, and noise that is one more where the row of a place is the label, modulo 10.
    static func examples(
        _ job: String, _ count: Int, _ shape: [Int]
    ) throws -> (examples: Tensor<Float>, labels: Tensor<Int32>) {
        var draws = ParityNumbers("\(job)/labels")
        let labels = (0..<count).map { _ in Int32(draws.word() % 10) }
        let (places, width) = (shape.reduce(1, *), shape.count > 1 ? shape[shape.count - 1] : 1)
        var numbers = values("\(job)/examples", count * places, -0.5..<0.5)
        for (example, label) in labels.enumerated() {
            for place in 0..<places where place / width % 10 == Int(label) { numbers[example * places + place] += 1 }
        }
        return (try Tensor(numbers.map { Float($0) }, shape: [count] + shape), try Tensor(labels))
    }
}
