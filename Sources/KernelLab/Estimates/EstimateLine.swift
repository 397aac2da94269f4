/// One estimated quantity, with the formula it comes from and the numbers put in.
public struct EstimateLine: Hashable, Sendable {
    /// `KV cache`.
    public var name: String
    /// In the unit, not scaled.
    public var value: Double
    /// `FLOP`, `B`, `s`, `token/s`, `token`, `FLOP/B`.
    public var unit: String
    /// `2 × layers × KV heads × width × tokens × batch × bytes = 2 × 32 × 8 × 128 × 8192 × 1 × 2`.
    public var formula: String
    /// Whose formula it is.
    public var source: String
    public var note: String?

    public init(_ name: String, _ value: Double, _ unit: String, formula: String, source: String, note: String? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.formula = formula
        self.source = source
        self.note = note
    }
}
