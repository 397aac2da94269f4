internal import Models
public import System
public import Tensors

/// Rows of one hook kept in files, in an order that is new in every pass over them.
///
/// ```swift
/// let source = try ActivationFileSource(["captured.safetensors"], hook: "blocks.3.hook_resid_post", seed: 1)
/// let batch = try source.next(rows: 4_096)       // [4096, d]
/// ```
/// Files are what `ActivationFile` writes or what was saved from a TransformerLens cache, one sequence or a batch of
/// them: `[T, d]`, `[B, T, d]`, and with heads `[T, H, W]`, `[B, T, H, W]`, whose rows are H·W wide. A .npy holds one
/// such tensor whatever its name. float32 of safetensors and .npy stays in the mapped file.
public final class ActivationFileSource: ActivationSource {
    public let width: Int
    /// The order of the rows so far: how many were given in all.
    public private(set) var givenCount = 0
    /// `[n, d]` each.
    private let parts: [Tensor<Float>]
    /// Part and row of every row that is given.
    private let places: [(part: Int32, row: Int32)]
    private var order: [Int] = []
    private var position = 0
    private var pass: UInt32 = 0
    private let seed: UInt64

    /// - Parameters:
    ///   - hook: TransformerLens's name.
    ///   - skippingFirst: Tokens at the start of every sequence that are left out: 1 leaves out BOS, whose activations
    ///     are like no other's.
    /// - Throws: An error if a file lacks the hook, files differ in width, or a number is not finite.
    public init(
        _ paths: [String], hook name: String, seed: UInt64 = 0, skippingFirst: Int = 0
    ) throws(Problem) {
        var parts: [Tensor<Float>] = []
        var places: [(part: Int32, row: Int32)] = []
        for path in paths {
            let (rows, length) = try Self.rows(of: path, name)
            if let first = parts.first, first.shape[1] != rows.shape[1] {
                throw Problem(
                    .invalid, path,
                    "rows of \(name) have width \(rows.shape[1]), but those of the first file have "
                        + "\(first.shape[1])", remedy: "Use files from a single model.")
            }
            for row in 0..<rows.shape[0] where row % length >= skippingFirst {
                places.append((Int32(truncatingIfNeeded: parts.count), Int32(truncatingIfNeeded: row)))
            }
            parts.append(rows)
        }
        guard let first = parts.first, !places.isEmpty else {
            throw Problem(.missing, paths.first ?? "activations", "no rows of \(name)", remedy: "Capture more tokens.")
        }
        width = first.shape[1]
        self.parts = parts
        self.places = places
        self.seed = seed
    }

    public var rowCount: Int? { places.count }

    public func next(rows: Int) throws(Problem) -> Tensor<Float> {
        guard rows >= 0 else { throw Problem(.invalid, "activations", "cannot return \(rows) rows") }
        return try telling {
            try Tensor(shape: [rows, width]) { target in
                for index in 0..<rows {
                    if position == order.count { shuffle() }
                    let (part, row) = places[order[position]]
                    let source = parts[Int(part)].base + Int(row) * width
                    (target.baseAddress! + index * width).update(from: source, count: width)
                    position += 1
                    givenCount += 1
                }
            }
        }
    }

    private func shuffle() {
        var generator = PhiloxGenerator(seed: seed, stream: pass)
        order = generator.permutation(places.count)
        position = 0
        pass &+= 1
    }

    /// The rows of a hook, `[n, d]` and contiguous, and how many of them are one sequence.
    private static func rows(
        of path: String, _ name: String
    ) throws(Problem) -> (Tensor<Float>, length: Int) {
        let stored: AnyTensor
        do {
            let file = try TensorFile.open(path)
            stored = file.format == .npy ? try file.onlyTensor() : try file.tensor(named: name)
        } catch {
            throw Problem(ModelError(error))
        }
        guard stored.dataType.isFloatingPoint else {
            throw Problem(.invalid, path, "\(name) contains \(stored.dataType.rawValue), not activations")
        }
        let shape = stored.shape
        let axes = try axesOfRow(name, path)
        guard shape.count == axes + 1 || shape.count == axes + 2, !shape.contains(0) else {
            throw Problem(
                .invalid, path, "\(name) has shape \(shape)",
                remedy: "Use [T, d] or [B, T, d], or, with heads, [T, H, W] or [B, T, H, W].")
        }
        let length = shape[shape.count - axes - 1]
        let width = shape.suffix(axes).reduce(1, *)
        return try telling {
            let rows = try stored.converted(to: Float.self).contiguous().reshaped([stored.count / width, width])
            guard rows.shape[0] <= Int(Int32.max) else {
                throw Problem(.limit, path, "\(name) has too many rows")
            }
            let isFinite = try rows.withElements { numbers in
                var most: UInt32 = 0
                for number in numbers { most = max(most, number.bitPattern & 0x7FFF_FFFF) }
                return most < 0x7F80_0000
            }
            guard isFinite else {
                throw Problem(
                    .invalid, path, "\(name) contains values that are not finite", remedy: "Capture it again.")
            }
            return (rows, length)
        }
    }

    /// Axes that make a row: two for hooks with heads.
    private static func axesOfRow(_ name: String, _ path: String) throws(Problem) -> Int {
        switch Hook(name) {
        case .scores, .pattern:
            throw Problem(
                .invalid, path, "\(name) has a row per pair of tokens, which dictionaries cannot use",
                remedy: "Use a hook with one row per token.")
        case .query, .key, .value, .rotatedQuery, .rotatedKey, .z: return 2
        default: return 1
        }
    }
}
