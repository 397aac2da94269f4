public import JSON
public import Traces

// Stable JSON keys for types without a JSON representation in their own module.

extension DiscoveredSession: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("path", path)
            $0.member("format", format)
            $0.member("readable", isReadable)
            $0.member("bytes", size)
            $0.member("modified_ns", modified)
            $0.member("project", ifPresent: project)
            $0.member("sub_agents", subAgents)
        }
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
