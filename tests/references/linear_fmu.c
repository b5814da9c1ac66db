/* Template of a small FMU for tests; tests/references/c_fmus.py fills in the numbers. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdint.h>
#define NX %(nx)d
#define NU %(nu)d
#define NY %(ny)d
static const double A[NX + 1][NX + 1] = %(A)s, B[NX + 1][NU + 1] = %(B)s;
static const double C[NY][NX + 1] = %(C)s, D[NY][NU + 1] = %(D)s;
typedef struct { double x[NX + 1], u[NU + 1], du[NU + 1], gain, t; int enabled; } State;
typedef void (*logger2)(void *, const char *, int, const char *, const char *, ...);
typedef void (*logger3)(void *, int, const char *, const char *);
typedef struct { State s; void *log; void *environment; char name[64]; } Instance;
static const double fail_at = %(fail_at)s; static const int fail_with = %(fail_with)d;

static void rates(const State *s, const double *x, double tau, double *dx) {
    for (int i = 0; i < NX; i++) {
        dx[i] = 0;
        for (int j = 0; j < NX; j++) dx[i] += A[i][j] * x[j];
        for (int j = 0; j < NU; j++) dx[i] += B[i][j] * (s->u[j] + tau * s->du[j]);
    }
}
static void integrate(State *s, double h) {
    int n = %(substeps)d;
    double k = h / n, a[NX + 1], b[NX + 1], c[NX + 1], d[NX + 1], y[NX + 1];
    for (int step = 0; step < n; step++) {
        double tau = step * k;
        rates(s, s->x, tau, a);
        for (int i = 0; i < NX; i++) y[i] = s->x[i] + 0.5 * k * a[i];
        rates(s, y, tau + 0.5 * k, b);
        for (int i = 0; i < NX; i++) y[i] = s->x[i] + 0.5 * k * b[i];
        rates(s, y, tau + 0.5 * k, c);
        for (int i = 0; i < NX; i++) y[i] = s->x[i] + k * c[i];
        rates(s, y, tau + k, d);
        for (int i = 0; i < NX; i++) s->x[i] += k / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    for (int j = 0; j < NU; j++) { s->u[j] += h * s->du[j]; s->du[j] = 0; }
    s->t += h;
}
static double output(const State *s, int i) {
    double y = 0;
    for (int j = 0; j < NX; j++) y += C[i][j] * s->x[j];
    for (int j = 0; j < NU; j++) y += D[i][j] * s->u[j];
    return s->enabled ? s->gain * y : 0;
}
/* value references: 0 gain, 1 enabled, 10... inputs, 100... outputs, 200... states */
static int get(const Instance *c, unsigned vr, double *v) {
    if (vr == 0) *v = c->s.gain;
    else if (vr >= 10 && vr < 10 + NU) *v = c->s.u[vr - 10];
    else if (vr >= 100 && vr < 100 + NY) *v = output(&c->s, vr - 100);
    else if (vr >= 200 && vr < 200 + NX) *v = c->s.x[vr - 200];
    else return 3;
    return 0;
}
static int set(Instance *c, unsigned vr, double v) {
    if (vr == 0) c->s.gain = v;
    else if (vr >= 10 && vr < 10 + NU) { c->s.u[vr - 10] = v; c->s.du[vr - 10] = 0; }
    else if (vr >= 200 && vr < 200 + NX) c->s.x[vr - 200] = v;
    else return 3;
    return 0;
}
static void *make(const char *name, const char *token, void *log, void *environment) {
    if (strcmp(token, "%(token)s")) return NULL;
    Instance *c = calloc(1, sizeof(Instance));
    strncpy(c->name, name, 63);
    c->s.gain = 1; c->s.enabled = 1; c->log = log; c->environment = environment;
    return c;
}
#define API(r) __attribute__((visibility("default"))) r
#if %(major)d == 2
typedef struct { logger2 log; void *(*alloc)(size_t, size_t); void (*free)(void *); void *done; void *environment; } Callbacks;
API(const char *) fmi2GetTypesPlatform(void) { return "default"; }
API(const char *) fmi2GetVersion(void) { return "2.0"; }
API(int) fmi2SetDebugLogging(void *c, int on, size_t n, const char **k) { return 0; }
API(void *) fmi2Instantiate(const char *name, int kind, const char *token, const char *where, const Callbacks *f, int v, int l) {
    void *c = make(name, token, (void *)f->log, f->environment);
    if (!c) f->log(f->environment, name, 3, "error", "wrong guid %%s", token);
    return c;
}
API(void) fmi2FreeInstance(void *c) { free(c); }
API(int) fmi2SetupExperiment(void *c, int td, double tol, double t0, int sd, double t1) { ((Instance *)c)->s.t = t0; return 0; }
API(int) fmi2EnterInitializationMode(void *c) { return 0; }
API(int) fmi2ExitInitializationMode(void *c) { return 0; }
API(int) fmi2Terminate(void *c) { return 0; }
API(int) fmi2Reset(void *c) { memset(&((Instance *)c)->s, 0, sizeof(State)); ((Instance *)c)->s.gain = 1; ((Instance *)c)->s.enabled = 1; return 0; }
API(int) fmi2GetReal(void *c, const unsigned *vr, size_t n, double *v) { for (size_t i = 0; i < n; i++) if (get(c, vr[i], v + i)) return 3; return 0; }
API(int) fmi2SetReal(void *c, const unsigned *vr, size_t n, const double *v) { for (size_t i = 0; i < n; i++) if (set(c, vr[i], v[i])) return 3; return 0; }
API(int) fmi2GetBoolean(void *c, const unsigned *vr, size_t n, int *v) { for (size_t i = 0; i < n; i++) v[i] = ((Instance *)c)->s.enabled; return 0; }
API(int) fmi2SetBoolean(void *c, const unsigned *vr, size_t n, const int *v) { for (size_t i = 0; i < n; i++) ((Instance *)c)->s.enabled = v[i]; return 0; }
API(int) fmi2GetInteger(void *c, const unsigned *vr, size_t n, int *v) { return 3; }
API(int) fmi2SetInteger(void *c, const unsigned *vr, size_t n, const int *v) { return 3; }
API(int) fmi2GetString(void *c, const unsigned *vr, size_t n, const char **v) { return 3; }
API(int) fmi2SetString(void *c, const unsigned *vr, size_t n, const char **v) { return 3; }
API(int) fmi2GetFMUstate(void *c, void **s) { if (!*s) *s = malloc(sizeof(State)); memcpy(*s, &((Instance *)c)->s, sizeof(State)); return 0; }
API(int) fmi2SetFMUstate(void *c, void *s) { memcpy(&((Instance *)c)->s, s, sizeof(State)); return 0; }
API(int) fmi2FreeFMUstate(void *c, void **s) { free(*s); *s = NULL; return 0; }
API(int) fmi2SerializedFMUstateSize(void *c, void *s, size_t *n) { *n = sizeof(State); return 0; }
API(int) fmi2SerializeFMUstate(void *c, void *s, char *b, size_t n) { memcpy(b, s, sizeof(State)); return 0; }
API(int) fmi2DeSerializeFMUstate(void *c, const char *b, size_t n, void **s) { if (n != sizeof(State)) return 3; if (!*s) *s = malloc(n); memcpy(*s, b, n); return 0; }
API(int) fmi2GetDirectionalDerivative(void *c, const unsigned *a, size_t n, const unsigned *b, size_t m, const double *d, double *e) { return 3; }
API(int) fmi2SetRealInputDerivatives(void *c, const unsigned *vr, size_t n, const int *order, const double *v) {
    for (size_t i = 0; i < n; i++) ((Instance *)c)->s.du[vr[i] - 10] = v[i];
    return 0;
}
API(int) fmi2GetRealOutputDerivatives(void *c, const unsigned *vr, size_t n, const int *order, double *v) { return 3; }
API(int) fmi2DoStep(void *p, double t, double h, int no) {
    Instance *c = p;
    if (t + h > fail_at) {
        ((logger2)c->log)(c->environment, c->name, fail_with, "error", "valve stuck at %%g s", t);
        return fail_with;
    }
    integrate(&c->s, h);
    return 0;
}
API(int) fmi2CancelStep(void *c) { return 3; }
API(int) fmi2GetStatus(void *c, int k, int *v) { return 3; }
API(int) fmi2GetRealStatus(void *c, int k, double *v) { return 3; }
API(int) fmi2GetIntegerStatus(void *c, int k, int *v) { return 3; }
API(int) fmi2GetBooleanStatus(void *c, int k, int *v) { return 3; }
API(int) fmi2GetStringStatus(void *c, int k, const char **v) { return 3; }
#else
API(const char *) fmi3GetVersion(void) { return "3.0"; }
API(void *) fmi3InstantiateCoSimulation(const char *name, const char *token, const char *where, bool v, bool l, bool e, bool r, const unsigned *q, size_t n, void *environment, logger3 log, void *update) {
    void *c = make(name, token, (void *)log, environment);
    if (!c) log(environment, 3, "error", "wrong token");
    return c;
}
API(void) fmi3FreeInstance(void *c) { free(c); }
API(int) fmi3EnterInitializationMode(void *c, bool td, double tol, double t0, bool sd, double t1) { ((Instance *)c)->s.t = t0; return 0; }
API(int) fmi3ExitInitializationMode(void *c) { return 0; }
API(int) fmi3Terminate(void *c) { return 0; }
API(int) fmi3Reset(void *c) { return 0; }
API(int) fmi3GetFloat64(void *c, const unsigned *vr, size_t n, double *v, size_t m) { for (size_t i = 0; i < n; i++) if (get(c, vr[i], v + i)) return 3; return 0; }
API(int) fmi3SetFloat64(void *c, const unsigned *vr, size_t n, const double *v, size_t m) { for (size_t i = 0; i < n; i++) if (set(c, vr[i], v[i])) return 3; return 0; }
API(int) fmi3GetBoolean(void *c, const unsigned *vr, size_t n, bool *v, size_t m) { for (size_t i = 0; i < n; i++) v[i] = ((Instance *)c)->s.enabled; return 0; }
API(int) fmi3SetBoolean(void *c, const unsigned *vr, size_t n, const bool *v, size_t m) { for (size_t i = 0; i < n; i++) ((Instance *)c)->s.enabled = v[i]; return 0; }
API(int) fmi3GetFMUState(void *c, void **s) { if (!*s) *s = malloc(sizeof(State)); memcpy(*s, &((Instance *)c)->s, sizeof(State)); return 0; }
API(int) fmi3SetFMUState(void *c, void *s) { memcpy(&((Instance *)c)->s, s, sizeof(State)); return 0; }
API(int) fmi3FreeFMUState(void *c, void **s) { free(*s); *s = NULL; return 0; }
API(int) fmi3SerializedFMUStateSize(void *c, void *s, size_t *n) { *n = sizeof(State); return 0; }
API(int) fmi3SerializeFMUState(void *c, void *s, uint8_t *b, size_t n) { memcpy(b, s, sizeof(State)); return 0; }
API(int) fmi3DeserializeFMUState(void *c, const uint8_t *b, size_t n, void **s) { if (n != sizeof(State)) return 3; if (!*s) *s = malloc(n); memcpy(*s, b, n); return 0; }
API(int) fmi3DoStep(void *p, double t, double h, bool no, bool *event, bool *ends, bool *early, double *last) {
    Instance *c = p;
    *event = *ends = *early = false; *last = t + h;
    if (t + h > fail_at) { ((logger3)c->log)(c->environment, fail_with, "error", "valve stuck"); return fail_with; }
    integrate(&c->s, h);
    return 0;
}
%(missing3)s
#endif
