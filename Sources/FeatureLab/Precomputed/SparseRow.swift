internal import Interpretability
internal import System

/// What is active on a token, on its way into codes.
struct SparseRow {
    private var entries: [(feature: Int32, value: Float)] = []
    private var isSorted = true

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        isSorted = true
    }

    mutating func append(_ feature: Int32, _ value: Float) {
        if let last = entries.last, last.feature >= feature { isSorted = false }
        entries.append((feature, value))
    }

    /// Appends it to codes in ascending order, without zeros.
    mutating func move(to codes: inout SparseCodes) throws(Problem) {
        if !isSorted { entries.sort { $0.feature < $1.feature } }
        var before: Int32 = -1
        for (feature, value) in entries {
            guard feature >= 0, feature < codes.width else {
                throw Problem(.invalid, "", "has feature \(feature), but the dictionary has \(codes.width) features")
            }
            guard feature != before else { throw Problem(.invalid, "", "has feature \(feature) twice") }
            guard value >= 0, value.isFinite else {
                throw Problem(.invalid, "", "has an invalid activation of feature \(feature): \(value)")
            }
            before = feature
            if value == 0 { continue }
            codes.features.append(feature)
            codes.values.append(value)
        }
        codes.starts.append(codes.features.count)
    }
}
