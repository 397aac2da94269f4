import Console
import Formatting
public import JSON
import Tables
public import Traces

// Stable JSON keys for types without a JSON representation in their own module.

extension DiscoveredSession: Tabular {
    static func columns(_ table: inout Columns<DiscoveredSession>) {
        table.text("modified") { Format.timestamp(nanoseconds: $0.modified) }
        table.text("size", align: .right) { Format.bytes($0.size) }
        table.text("format") { $0.isReadable ? $0.format : "\($0.format), unsupported" }
        table.text("session", json: "path", \.path)
        table.member("format", \.format)
        table.member("readable", \.isReadable)
        table.member("bytes", \.size)
        table.member("modified_ns", \.modified)
        table.member("project", ifPresent: \.project)
        table.member("sub_agents", \.subAgents)
    }
}

extension SearchResult: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("hits", hits)
            $0.member("scanned", scanned)
            $0.member("partial", partial)
        }
    }
}

extension SearchHit: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("trace_row", trace)
            $0.member("message", message)
            $0.member("span", ifPresent: span)
            $0.member("snippet", snippet)
        }
    }
}
