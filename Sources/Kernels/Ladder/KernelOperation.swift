/// What is computed, whatever way: sizes, cost, reference, and the ladder of variants from the textbook to the limit.
///
/// Adding a rung is one value in the ladder of its operation; adding an operation is one line in `KernelCatalog`.
public struct KernelOperation: Sendable {
    /// The word in commands: `gemm-f32`.
    public let name: String
    /// `matrix product, float32`.
    public let title: String
    /// What each size means and what is taken where none is given, in the order of the shape.
    public let dimensions: [Dimension]
    /// Shapes worth measuring, the default first.
    public let presets: [KernelShape]
    /// Sets all sizes that `--size N` means: `m`, `n` and `k` of a product.
    public let square: @Sendable (Int) -> KernelShape
    public let arithmetic: KernelArithmetic
    /// FLOPs and compulsory bytes.
    public let cost: @Sendable (KernelShape) -> KernelCost
    /// The formulas behind `cost`, as text: `2mnk FLOP, 4(mk + kn + mn) B`.
    public let costFormula: String
    public let variants: [KernelVariant]
    /// Whether rows rather than arithmetic are the point: its roof is a copy of the data.
    public let isStreaming: Bool
    let makeProblem: @Sendable (KernelShape, UInt64) throws(KernelError) -> any KernelProblem

    public struct Dimension: Hashable, Sendable {
        public let name: String
        public let meaning: String
        public let range: ClosedRange<Int>

        public init(_ name: String, _ meaning: String, in range: ClosedRange<Int> = 1...(1 << 24)) {
            self.name = name
            self.meaning = meaning
            self.range = range
        }
    }

    public init(
        _ name: String, title: String, dimensions: [Dimension], presets: [KernelShape],
        square: @escaping @Sendable (Int) -> KernelShape, arithmetic: KernelArithmetic, isStreaming: Bool = false,
        costFormula: String, cost: @escaping @Sendable (KernelShape) -> KernelCost,
        problem: @escaping @Sendable (KernelShape, UInt64) throws(KernelError) -> any KernelProblem,
        variants: [KernelVariant]
    ) {
        self.name = name
        self.title = title
        self.dimensions = dimensions
        self.presets = presets
        self.square = square
        self.arithmetic = arithmetic
        self.isStreaming = isStreaming
        self.costFormula = costFormula
        self.cost = cost
        self.variants = variants
        makeProblem = problem
    }

    /// The sizes of `--size`: a number (`512`), one a dimension (`32x4096x4096`), or names (`m=32,k=4096`) that change
    /// the default.
    ///
    /// - Throws: `KernelError.shape` with the sizes that the operation takes.
    public func shape(_ text: String) throws(KernelError) -> KernelShape {
        var shape = presets[0]
        let parts = text.split(whereSeparator: { $0 == "," || $0 == " " })
        if let number = Int(text) {
            shape = square(number)
        } else if parts.contains(where: { $0.contains("=") }) {
            for part in parts {
                let halves = part.split(separator: "=", omittingEmptySubsequences: false)
                guard halves.count == 2, let value = Int(halves[1]),
                    dimensions.contains(where: { $0.name == halves[0] })
                else { throw .shape(operation: name, problem: "invalid size \(part). \(sizesInWords)") }
                shape[String(halves[0])] = value
            }
        } else {
            let numbers = text.split(whereSeparator: { $0 == "x" || $0 == "×" }).map { Int($0) }
            guard numbers.count == dimensions.count, !numbers.contains(nil) else {
                throw .shape(operation: name, problem: "invalid size \(text). \(sizesInWords)")
            }
            for (dimension, number) in zip(dimensions, numbers.compactMap(\.self)) { shape[dimension.name] = number }
        }
        try check(shape)
        return shape
    }

    /// `It takes m (rows of A), n (columns of B), k (columns of A)`
    private var sizesInWords: String {
        "Sizes: " + dimensions.map { "\($0.name) (\($0.meaning))" }.joined(separator: ", ")
            + ". Example: \(presets[0].sizes.map { "\($0.name)=\($0.value)" }.joined(separator: ","))"
    }

    private func check(_ shape: KernelShape) throws(KernelError) {
        for dimension in dimensions where !dimension.range.contains(shape[dimension.name]) {
            throw .shape(
                operation: name,
                problem: "\(dimension.name)=\(shape[dimension.name]) is out of range "
                    + "\(dimension.range.lowerBound)...\(dimension.range.upperBound) (\(dimension.meaning))")
        }
    }

    /// The rung of that name.
    public func variant(_ name: String) throws(KernelError) -> KernelVariant {
        guard let found = variants.first(where: { $0.name == name }) else {
            throw .unknownVariant(name, operation: self.name, known: variants.map(\.name))
        }
        return found
    }

    /// Inputs for one shape, from a seed; the rungs of a session work on the same ones.
    public func problem(_ shape: KernelShape, seed: UInt64 = 1) throws(KernelError) -> any KernelProblem {
        try check(shape)
        return try makeProblem(shape, seed)
    }

    /// A call of one rung on a problem.
    ///
    /// - Throws: `KernelError.unavailable` where this machine cannot run it.
    public func call(
        _ variant: KernelVariant, on problem: any KernelProblem, pool: ThreadPool
    ) throws(KernelError) -> () -> Void {
        if let reason = variant.unavailable { throw .unavailable(variant: "\(name)/\(variant.name)", reason: reason) }
        guard let call = variant.bind(problem, variant.isParallel ? pool : .single) else {
            throw .unavailable(
                variant: "\(name)/\(variant.name)",
                reason: "the problem belongs to a different operation")
        }
        return call
    }

    /// Runs a rung once on a poisoned output and compares.
    ///
    /// - Throws: `KernelError.disagreement` where it is off by more than rounding allows.
    @discardableResult
    public func verify(
        _ variant: KernelVariant, on problem: any KernelProblem, pool: ThreadPool
    ) throws(KernelError) -> KernelAgreement {
        let call = try call(variant, on: problem, pool: pool)
        problem.poisonOutput()
        call()
        let agreement = problem.agreement()
        guard agreement.agrees else {
            throw .disagreement(variant: "\(name)/\(variant.name)", difference: agreement.place)
        }
        return agreement
    }
}
