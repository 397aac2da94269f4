/// How far an output is from the float64 reference, next to what rounding allows.
public struct KernelAgreement: Hashable, Sendable {
    /// The largest error, in units of the allowed one: at most 1 agrees. Infinite where an element was never written.
    public var worst: Double
    /// The allowed error in words: `γ(k) Σ|a||b|`.
    public var bound: String
    /// Where the worst element is, what was expected there and what was found.
    public var place: String
    /// Elements that were compared; large outputs are compared on a seeded sample of rows.
    public var compared: Int
    /// Whether there is a reference; without one, the results are not checked and never rejected.
    public var isChecked: Bool

    public init(worst: Double, bound: String, place: String, compared: Int, isChecked: Bool = true) {
        self.isChecked = isChecked
        self.worst = worst
        self.bound = bound
        self.place = place
        self.compared = compared
    }

    public var agrees: Bool { worst <= 1 && (compared > 0 || !isChecked) }
}
