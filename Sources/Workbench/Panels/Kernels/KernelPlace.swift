internal import Console
internal import KernelLab

/// A kernel or profile to open, and the user's place in it.
struct KernelPlace: Equatable, Sendable {
    var subject: KernelSubject
    /// Sizes of a built-in kernel; `nil` for the last measured ones.
    var shape: String?
    /// Number of threads of the ladder.
    var threads = 1
    /// The rung to select.
    var rung: String?
    /// The profile to compare with.
    var comparison: Int64?
    /// Ordinal of the launch to select.
    var launch: Int?
    /// Row to select among the launches.
    var row: Int?
    var sort: OpenProfile.Sort?
    var filter: String?

    init(_ subject: KernelSubject, shape: String? = nil, rung: String? = nil) {
        self.subject = subject
        self.shape = shape
        self.rung = rung
    }

    init(_ open: OpenKernel) {
        self.init(open.subject, rung: open.selected?.name)
        if case .operation = open.subject { shape = open.shape }
    }

    init(_ open: OpenProfile) {
        let id = open.profile.summary.id
        self.init(.profile(id))
        comparison = open.comparison.map { $0.after.id == id ? $0.before.id : $0.after.id }
        launch = open.selected?.ordinal
        row = open.rows.list.selection
        sort = open.sort
        filter = open.filter
    }

    mutating func archive(_ archive: inout Archive) {
        archive("shape", &shape)
        archive("rung", &rung)
        archive("comparison", &comparison)
        archive("launch", &launch)
        archive("row", &row)
        var order = sort?.rawValue
        archive("sort", &order)
        sort = order.flatMap(OpenProfile.Sort.init(rawValue:))
        archive("filter", &filter)
    }
}

/// A thing that the page can show: a built-in kernel, the user's own kernel, or an imported profile. The raw value is
/// saved.
enum KernelSubject: Hashable, Sendable, RawRepresentable {
    /// By the name of the operation.
    case operation(String)
    /// By the path of the TOML file.
    case own(String)
    case profile(Int64)

    var rawValue: String {
        switch self {
        case .operation(let name): "operation:" + name
        case .own(let path): "own:" + path
        case .profile(let id): "profile:\(id)"
        }
    }

    init?(rawValue: String) {
        let halves = rawValue.split(separator: ":", maxSplits: 1).map(String.init)
        guard halves.count == 2 else { return nil }
        switch halves[0] {
        case "operation": self = .operation(halves[1])
        case "own": self = .own(halves[1])
        case "profile":
            guard let id = Int64(halves[1]) else { return nil }
            self = .profile(id)
        default: return nil
        }
    }

    /// The name of an operation, of a file, or of a profile.
    var name: String {
        switch self {
        case .operation(let name): name
        case .own(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .profile(let id): "\(id)"
        }
    }
}
