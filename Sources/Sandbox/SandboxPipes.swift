internal import CSandbox
internal import Glibc
internal import System

/// Pipes and other descriptors of one start: what is not kept is closed with it.
struct SandboxPipes {
    private var open: Set<Int32> = []

    mutating func make() throws(Problem) -> (read: Int32, write: Int32) {
        var pair: [Int32] = [-1, -1]
        let failed = orrery_sandbox_pipe(&pair)
        guard failed == 0 else { throw SandboxStart.failure("cannot create a pipe", failed) }
        open.formUnion(pair)
        return (pair[0], pair[1])
    }

    mutating func add(_ descriptor: Int32) { open.insert(descriptor) }

    mutating func keep(_ descriptor: Int32) { open.remove(descriptor) }

    mutating func close(_ descriptor: Int32) {
        if open.remove(descriptor) != nil { _ = Glibc.close(descriptor) }
    }

    mutating func closeAll() {
        for descriptor in open { _ = Glibc.close(descriptor) }
        open = []
    }
}

/// Words, environment and views as C reads them.
struct CStrings {
    private let words: [String]
    private let variables: [String]
    private let shown: [SandboxView]

    init(_ words: [String], _ variables: [String], _ views: [SandboxView]) {
        (self.words, self.variables, shown) = (words, variables, views)
    }

    /// The strings while they live.
    struct Pointers {
        var arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>?
        var environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?
        var views: UnsafePointer<orrery_sandbox_view>?
        fileprivate let pool: Pool

        func duplicate(_ text: String) -> UnsafePointer<CChar>? { UnsafePointer(pool.duplicate(text)) }
    }

    fileprivate final class Pool {
        var strings: [UnsafeMutablePointer<CChar>?] = []

        func duplicate(_ text: String) -> UnsafeMutablePointer<CChar>? {
            let copy = strdup(text)
            strings.append(copy)
            return copy
        }

        deinit { for string in strings { free(string) } }
    }

    func with<T>(_ body: (Pointers) -> T) -> T {
        let pool = Pool()
        let arguments = words.map(pool.duplicate) + [nil]
        let environment = variables.map(pool.duplicate) + [nil]
        let views = shown.map { view in
            var one = orrery_sandbox_view()
            one.path = UnsafePointer(pool.duplicate(view.path))
            one.is_folder = view.kind == .folder ? 1 : 0
            if case .link(let target) = view.kind { one.link = UnsafePointer(pool.duplicate(target)) }
            return one
        }
        return arguments.withUnsafeBufferPointer { arguments in
            environment.withUnsafeBufferPointer { environment in
                views.withUnsafeBufferPointer { views in
                    body(
                        Pointers(
                            arguments: arguments.baseAddress, environment: environment.baseAddress,
                            views: views.baseAddress, pool: pool))
                }
            }
        }
    }
}
