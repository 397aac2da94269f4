/// A parameter for building an index, such as `m=16`.
public struct IndexParameter: Hashable, Sendable {
    public enum Range: Hashable, Sendable {
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Float>)
    }

    /// Name as typed and saved.
    public var name: String
    public var range: Range
    /// Value if none is given; `nil` if the index derives it from the vectors.
    public var standard: Float?
    /// A noun phrase.
    public var help: String

    /// A whole number.
    public init(_ name: String, _ range: ClosedRange<Int> = 1...1_000_000, default standard: Int? = nil, help: String) {
        self.name = name
        self.range = .integer(range)
        self.standard = standard.map(Float.init)
        self.help = help
    }

    /// A number with a fraction.
    public init(_ name: String, in range: ClosedRange<Float>, default standard: Float? = nil, help: String) {
        self.name = name
        self.range = .number(range)
        self.standard = standard
        self.help = help
    }

    /// Range in words, such as `2 to 128`.
    public var limits: String {
        switch range {
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        }
    }
}

/// The values of the parameters of one index.
public struct IndexValues: Hashable, Sendable {
    private var integers: [String: Int] = [:]
    private var numbers: [String: Float] = [:]

    public init() {}

    /// Value of a whole-number parameter; `nil` if none was given.
    public subscript(integer name: String) -> Int? { integers[name] }

    /// Value of a parameter with a fraction; `nil` if none was given.
    public subscript(number name: String) -> Float? { numbers[name] }

    /// The outcome of setting a value.
    public enum Outcome: Hashable, Sendable {
        case set, malformed, outOfRange
    }

    /// Reads and sets the value of a parameter.
    public mutating func set(_ parameter: IndexParameter, to text: some StringProtocol) -> Outcome {
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
