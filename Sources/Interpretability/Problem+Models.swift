public import Models
public import System
public import Tensors

extension Problem {
    /// Creates a problem from an error of a model.
    public init(_ error: ModelError) {
        self.init(error.isCancellation ? .cancelled : .invalid, error.subject, error.problem, remedy: error.remedy)
    }

    /// Creates a problem from an error of a tensor operation, with the shapes.
    public init(_ error: TensorError) {
        let shapes = error.shapes.map(\.description).joined(separator: ", ")
        self.init(.invalid, error.operation, shapes.isEmpty ? error.problem : "\(shapes) \(error.problem)")
    }
}

/// Runs a body and turns errors of tensors and models into problems.
func telling<R>(_ body: () throws -> R) throws(Problem) -> R {
    do {
        return try body()
    } catch let error as ModelError {
        throw Problem(error)
    } catch let error as TensorError {
        throw Problem(error)
    } catch {
        throw Problem(error, in: "operation")
    }
}
