public import Models
public import Tensors

/// Why something inside a model cannot be looked at or changed: what, why, and what to do.
public struct InterpretabilityError: Error, Equatable, CustomStringConvertible, Sendable {
    /// A hook, a file, a model, a dictionary.
    public var subject: String
    /// Problem, without a final period.
    public var problem: String
    /// Remedy as a whole sentence; empty if there is none.
    public var remedy: String
    /// The person ended it.
    public var isCancellation: Bool

    public init(_ subject: String, problem: String, remedy: String = "") {
        self.subject = subject
        self.problem = problem
        self.remedy = remedy
        isCancellation = false
    }

    public init(_ error: ModelError) {
        self.init(error.subject, problem: error.problem, remedy: error.remedy)
        isCancellation = error.isCancellation
    }

    public init(_ error: TensorError) { self.init(error.operation, problem: Self.problem(of: error)) }

    public static let cancelled: InterpretabilityError = {
        var error = InterpretabilityError("operation", problem: "canceled")
        error.isCancellation = true
        return error
    }()

    /// The whole sentence.
    public var sentence: String { "\(subject): \(problem)." + (remedy.isEmpty ? "" : " \(remedy)") }
    public var description: String { sentence }

    private static func problem(of error: TensorError) -> String {
        let shapes = error.shapes.map(\.description).joined(separator: ", ")
        return shapes.isEmpty ? error.problem : "\(shapes) \(error.problem)"
    }
}

/// Calls that fail in words of tensors or models, failing in words of this module.
func telling<R>(_ body: () throws -> R) throws(InterpretabilityError) -> R {
    do {
        return try body()
    } catch let error as InterpretabilityError {
        throw error
    } catch let error as ModelError {
        throw InterpretabilityError(error)
    } catch let error as TensorError {
        throw InterpretabilityError(error)
    } catch {
        throw InterpretabilityError("operation", problem: "\(error)")
    }
}
