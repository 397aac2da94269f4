internal import Formatting

/// Why a kernel could not run; its sentence says what, where and what to do.
public enum KernelError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Memory that the system does not have; `nil` if the number of bytes itself is absurd.
    case memory(bytes: Int?)
    case unknownOperation(String, known: [String])
    case unknownVariant(String, operation: String, known: [String])
    /// A size that the operation does not take.
    case shape(operation: String, problem: String)
    /// What this machine lacks.
    case unavailable(variant: String, reason: String)
    /// A rung whose numbers differ from its twin: it is not timed.
    case disagreement(variant: String, difference: String)

    public var sentence: String {
        switch self {
        case .memory(let bytes?):
            return "the sizes need \(Format.bytes(bytes)) of memory, more than is free. Use smaller sizes."
        case .memory(nil):
            return "the sizes need more memory than any machine has. Use smaller sizes."
        case .unknownOperation(let name, let known):
            return "unknown kernel \(name). Available: \(known.joined(separator: ", "))."
        case .unknownVariant(let name, let operation, let known):
            return "\(operation) has no variant \(name). Available: \(known.joined(separator: ", "))."
        case .shape(let operation, let problem):
            return "\(operation): \(problem)."
        case .unavailable(let variant, let reason):
            return "\(variant) cannot run on this machine: \(reason)."
        case .disagreement(let variant, let difference):
            return "\(variant) disagrees with the reference, so it is not timed: \(difference)."
        }
    }

    public var description: String { sentence }
}
