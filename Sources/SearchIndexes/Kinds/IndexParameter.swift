/// A parameter for building an index, such as `m=16`.
package struct IndexParameter: Hashable, Sendable {
    package enum Range: Hashable, Sendable {
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Float>)
    }

    /// Name as typed and saved.
    package var name: String
    package var range: Range
    /// Value if none is given; `nil` if the index derives it from the vectors.
    package var standard: Float?
    /// A noun phrase.
    package var help: String

    /// Creates a parameter of whole numbers.
    package init(_ name: String, _ range: ClosedRange<Int> = 1...1_000_000, default standard: Int? = nil, help: String)
    {
        self.name = name
        self.range = .integer(range)
        self.standard = standard.map(Float.init)
        self.help = help
    }

    /// Creates a parameter of numbers with a fraction.
    package init(_ name: String, in range: ClosedRange<Float>, default standard: Float? = nil, help: String) {
        self.name = name
        self.range = .number(range)
        self.standard = standard
        self.help = help
    }

    /// Range in words, such as `2 to 128`.
    package var limits: String {
        switch range {
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        }
    }
}

/// The values of the parameters of one index.
package struct IndexValues: Hashable, Sendable {
    private var integers: [String: Int] = [:]
    private var numbers: [String: Float] = [:]

    package init() {}

    /// Value of a whole-number parameter; `nil` if none was given.
    package subscript(integer name: String) -> Int? { integers[name] }

    /// Value of a parameter with a fraction; `nil` if none was given.
    package subscript(number name: String) -> Float? { numbers[name] }

    /// The outcome of setting a value.
    package enum Outcome: Hashable, Sendable {
        case set, malformed, outOfRange
    }

    /// Reads and sets the value of a parameter.
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
