extension CaseIterable where Self: Equatable {
    /// The next case; the first one follows the last one.
    var next: Self {
        var rest = Self.allCases.drop { $0 != self }.dropFirst().makeIterator()
        return rest.next() ?? Self.allCases.first ?? self
    }
}
