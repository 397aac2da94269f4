public import System
internal import Tensors

/// A few lines of arithmetic on single numbers, differentiated: autograd small enough to follow by hand.
///
/// ```swift
/// let program = try ScalarProgram("c = a + b; d = a * b + b ^ 3; d += relu(c)")
/// let results = try program.run(["a": -4, "b": 2])
/// results.last?.value                              // d
/// results.first { $0.name == "a" }?.gradient       // dd/da
/// ```
///
/// Statements are assignments (`=`, `+=`, `-=`, `*=`), parted by `;` or ends of lines; `#` begins a comment.
/// Expressions have `+ - * / ^`, parentheses, numbers, names and the functions of `functions`.
public struct ScalarProgram: Sendable {
    /// What a name stands for at the end.
    public struct Result: Sendable, Equatable {
        public var name: String
        public var value: Double
        /// How the last statement's value changes with it.
        public var gradient: Double
        /// The same by central differences; only for inputs.
        public var numericGradient: Double?
    }

    let statements: [Statement]

    struct Statement: Sendable {
        var name: String
        var expression: Expression
    }

    indirect enum Expression: Sendable {
        case number(Double)
        case name(String, place: Int)
        case negated(Expression)
        case binary(Character, Expression, Expression)
        case power(Expression, Double)
        case call(String, Expression)
    }

    /// - Throws: `Problem` with the place of what cannot be read.
    public init(_ text: String) throws(Problem) {
        var parser = try ScalarProgramParser(text)
        statements = try parser.program()
    }

    /// Values and gradients of inputs and of every name that was assigned, in the order in which they came.
    ///
    /// - Parameter inputs: values of the names that the program does not assign before it uses them.
    public func run(_ inputs: KeyValuePairs<String, Double>) throws(Problem) -> [Result] {
        try run(inputs.map { ($0.key, $0.value) })
    }

    public func run(_ inputs: [(name: String, value: Double)]) throws(Problem) -> [Result] {
        let (last, variables) = try evaluate(inputs)
        let gradients: [Variable<Double>]
        do { gradients = try last.gradients(for: variables.map(\.variable)) } catch {
            throw Problem(.failed, "", error.sentence)
        }
        var results: [Result] = []
        for (variable, gradient) in zip(variables, gradients) {
            results.append(
                Result(
                    name: variable.name, value: variable.variable.scalar ?? .nan,
                    gradient: gradient.scalar ?? .nan,
                    numericGradient: try numericGradient(of: variable.name, inputs)))
        }
        return results
    }

    private func numericGradient(
        of name: String, _ inputs: [(name: String, value: Double)]
    ) throws(Problem) -> Double? {
        guard let index = inputs.firstIndex(where: { $0.name == name }) else { return nil }
        let width = 1e-6 * max(1, abs(inputs[index].value))
        func value(_ shift: Double) throws(Problem) -> Double {
            var moved = inputs
            moved[index].value += shift
            return try evaluate(moved).last.scalar ?? .nan
        }
        return (try value(width) - value(-width)) / (2 * width)
    }

    private func evaluate(
        _ inputs: [(name: String, value: Double)]
    ) throws(Problem) -> (last: Variable<Double>, variables: [(name: String, variable: Variable<Double>)]) {
        do throws(TensorError) {
            var names: [(name: String, variable: Variable<Double>)] = []
            var values: [String: Variable<Double>] = [:]
            for input in inputs {
                let leaf = Variable<Double>.leaf(try Tensor(input.value))
                values[input.name] = leaf
                names.append((input.name, leaf))
            }
            var last = Variable<Double>(try Tensor(0))
            for statement in statements {
                last = try statement.expression.value(values)
                values[statement.name] = last
                names.removeAll { $0.name == statement.name }
                names.append((statement.name, last))
            }
            return (last, names)
        } catch {
            throw Problem(.failed, "", error.problem)
        }
    }
}

extension ScalarProgram.Expression {
    func value(_ names: [String: Variable<Double>]) throws(TensorError) -> Variable<Double> {
        switch self {
        case .number(let number): return Variable(try Tensor(number))
        case .name(let name, let place):
            guard let value = names[name] else {
                throw TensorError("program", problem: "\(name) at character \(place) has no value. Assign it first")
            }
            return value
        case .negated(let expression): return try -expression.value(names)
        case .power(let base, let exponent): return try base.value(names).power(exponent)
        case .call(let function, let argument):
            return try ScalarProgram.functions[function, default: { x throws(TensorError) in x }](argument.value(names))
        case .binary(let sign, let left, let right):
            let (a, b) = (try left.value(names), try right.value(names))
            switch sign {
            case "+": return try a + b
            case "-": return try a - b
            case "*": return try a * b
            default: return try a / b
            }
        }
    }
}

extension ScalarProgram {
    typealias Function = @Sendable (Variable<Double>) throws(TensorError) -> Variable<Double>

    static let functions: [String: Function] = [
        "relu": { x throws(TensorError) in try relu(x) }, "tanh": { x throws(TensorError) in try tanh(x) },
        "exp": { x throws(TensorError) in try exp(x) }, "log": { x throws(TensorError) in try log(x) },
        "sin": { x throws(TensorError) in try sin(x) }, "cos": { x throws(TensorError) in try cos(x) },
        "sqrt": { x throws(TensorError) in try sqrt(x) }, "sigmoid": { x throws(TensorError) in try sigmoid(x) },
    ]
}
