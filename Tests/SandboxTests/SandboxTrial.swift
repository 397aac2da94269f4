internal import Glibc
internal import Sandbox
internal import TestFixtures
internal import Testing

/// A tier to be tested, and what the tests need beside it.
struct SandboxTrial: Sendable, CustomTestStringConvertible {
    var tier: SandboxTier
    var testDescription: String { tier.rawValue }

    static let all = SandboxTier.allCases.map { SandboxTrial(tier: $0) }
    static let python: String? = {
        let paths = ["/usr/bin/python3", "/usr/local/bin/python3"]
        return paths.first { (path: String) in access(path, X_OK) == 0 }
    }()

    /// The cage, where it holds on this machine; nil with a message where it does not.
    func sandbox(readable: [String] = []) -> Sandbox? {
        do {
            return try Sandbox(readable: readable, tiers: [tier])
        } catch {
            print("skipped: \(tier.rawValue) does not hold here: \(error.sentence)")
            return nil
        }
    }

    /// What a Python program does in the cage; nil with a message where there is no Python.
    func python(
        _ program: String, limits: SandboxLimits = SandboxLimits(), readable: [String] = [],
        environment: [(name: String, value: String)] = [], isCancelled: () -> Bool = { false }
    ) throws -> SandboxOutcome? {
        guard let sandbox = sandbox(readable: readable) else { return nil }
        guard let python = Self.python else {
            print("skipped: there is no python3 of the system")
            return nil
        }
        return try sandbox.run(
            python, ["-c", program], environment: environment, limits: limits, isCancelled: isCancelled)
    }
}

extension SandboxOutcome {
    var text: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: standardError, as: UTF8.self) }
}
