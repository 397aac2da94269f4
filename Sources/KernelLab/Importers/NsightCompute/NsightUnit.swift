/// Folds the units of Nsight Compute into seconds, bytes, cycles, instructions, and quotients of these.
///
/// Unless it is asked for base units, the tool scales each figure and says so in the unit: `msecond`, `Kbyte`,
/// `cycle/nsecond`. Prefixes are decimal.
package enum NsightUnit {
    /// Factor and base unit of values in this unit.
    package static func fold(_ unit: String) -> (factor: Double, base: String) {
        let parts = unit.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let numerator = parts.first else { return (1, unit) }
        let (factor, base) = single(numerator)
        guard parts.count == 2 else { return (factor, base) }
        let (divisor, per) = single(parts[1])
        if base == "hz" { return (factor, base) }
        return (factor / divisor, base + "/" + per)
    }

    private static let seconds: [String: Double] = [
        "s": 1, "second": 1, "sec": 1, "ms": 1e-3, "msecond": 1e-3, "us": 1e-6, "usecond": 1e-6, "ns": 1e-9,
        "nsecond": 1e-9,
    ]
    private static let prefixes: [Character: Double] = ["K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15]
    private static let scalable: Set<String> = [
        "byte", "b", "hz", "inst", "cycle", "sector", "request", "warp", "thread", "block", "op", "bit", "tag",
    ]

    private static func single(_ unit: String) -> (Double, String) {
        if let factor = seconds[unit] { return (factor, "second") }
        let lower = unit.lowercased()
        if lower == "b" || lower == "bytes" { return (1, "byte") }
        if scalable.contains(lower) { return (1, lower) }
        if let first = unit.first, let factor = prefixes[first] {
            let rest = String(lower.dropFirst())
            if scalable.contains(rest) { return (factor, rest == "b" ? "byte" : rest) }
        }
        return (1, unit)
    }
}
