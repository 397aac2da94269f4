/// A numeric parameter of a kind of index, such as `m=16`.
package struct IndexParameter: Hashable, Sendable {
    /// The valid values of a parameter.
    package enum Range: Hashable, Sendable {
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Float>)
    }

    /// Name in commands and in the workspace.
    package var name: String
    /// Valid values.
    package var range: Range
    /// Value if none is given; `nil` if the index derives the value from its vectors.
    package var defaultValue: Float?
    /// Noun phrase for the help.
    package var help: String

    /// Creates an integer parameter.
    package init(
        _ name: String, _ range: ClosedRange<Int> = 1...1_000_000, default defaultValue: Int? = nil, help: String
    ) {
        self.name = name
        self.range = .integer(range)
        self.defaultValue = defaultValue.map(Float.init)
        self.help = help
    }

    /// Creates a floating-point parameter.
    package init(_ name: String, in range: ClosedRange<Float>, default defaultValue: Float? = nil, help: String) {
        self.name = name
        self.range = .number(range)
        self.defaultValue = defaultValue
        self.help = help
    }

    /// Description of the range, such as `2 to 128`.
    package var limits: String {
        switch range {
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        }
    }
}

/// The parameter values of an index.
package struct IndexValues: Hashable, Sendable {
    private var integers: [String: Int] = [:]
    private var numbers: [String: Float] = [:]

    /// Creates a set without values, so that every parameter has its default.
    package init() {}

    /// The value of an integer parameter; `nil` if none was given.
    package subscript(integer name: String) -> Int? { integers[name] }

    /// The value of a floating-point parameter; `nil` if none was given.
    package subscript(number name: String) -> Float? { numbers[name] }

    /// The outcome of setting a value from text.
    package enum Outcome: Hashable, Sendable {
        case set
        /// The text is not a number of the parameter's type.
        case malformed
        case outOfRange
    }

    /// Sets the value of a parameter from text. Text that is malformed or out of range changes nothing.
    package mutating func set(_ parameter: IndexParameter, to text: some StringProtocol) -> Outcome {
        switch parameter.range {
        case .integer(let range):
            guard let value = Int(text) else { return .malformed }
            guard range.contains(value) else { return .outOfRange }
            integers[parameter.name] = value
        case .number(let range):
            guard let value = Float(text) else { return .malformed }
            guard range.contains(value) else { return .outOfRange }
            numbers[parameter.name] = value
        }
        return .set
    }
}
