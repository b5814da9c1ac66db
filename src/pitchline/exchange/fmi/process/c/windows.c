/* Processes of Windows. */

#if defined _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pl_process {
    HANDLE process, job, to, from;
};

static WCHAR *wide(const char *text)
{
    int n = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    WCHAR *made = n > 0 ? malloc((size_t)n * sizeof *made) : NULL;
    if (made != NULL)
        MultiByteToWideChar(CP_UTF8, 0, text, -1, made, n);
    return made;
}

static void close_all(HANDLE *handles, int count)
{
    int i;
    for (i = 0; i < count; i++)
        if (handles[i] != NULL)
            CloseHandle(handles[i]);
}

pl_process *pl_spawn(const char *program, const char *script)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits;
    STARTUPINFOW start;
    PROCESS_INFORMATION made;
    HANDLE ends[4] = {NULL, NULL, NULL, NULL}; /* read and write: of its input, of its output */
    pl_process *process = calloc(1, sizeof *process);
    size_t length = strlen(program) + strlen(script) + 8;
    char *command = malloc(length);
    WCHAR *line = NULL;
    int started = 0;
    if (process != NULL && command != NULL) {
        snprintf(command, length, "\"%s\" \"%s\"", program, script);
        line = wide(command);
    }
    if (line != NULL && CreatePipe(&ends[0], &ends[1], &inherited, 1 << 16) && CreatePipe(&ends[2], &ends[3], &inherited, 1 << 16)) {
        SetHandleInformation(ends[1], HANDLE_FLAG_INHERIT, 0);
        SetHandleInformation(ends[2], HANDLE_FLAG_INHERIT, 0);
        memset(&start, 0, sizeof start);
        start.cb = sizeof start;
        start.dwFlags = STARTF_USESTDHANDLES;
        start.hStdInput = ends[0];
        start.hStdOutput = ends[3];
        start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
        started = CreateProcessW(NULL, line, NULL, NULL, TRUE, CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP, NULL, NULL, &start, &made);
    }
    free(line);
    free(command);
    if (!started) {
        close_all(ends, 4);
        free(process);
        return NULL;
    }
    CloseHandle(made.hThread);
    CloseHandle(ends[0]);
    CloseHandle(ends[3]);
    process->process = made.hProcess;
    process->to = ends[1];
    process->from = ends[2];
    process->job = CreateJobObjectW(NULL, NULL); /* ends the process when the importing program ends */
    if (process->job != NULL) {
        memset(&limits, 0, sizeof limits);
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        SetInformationJobObject(process->job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
        AssignProcessToJobObject(process->job, process->process);
    }
    return process;
}

int pl_send(pl_process *process, const void *bytes, size_t size, double patience)
{
    const char *next = bytes;
    (void)patience;
    while (size > 0) {
        DWORD count = 0;
        if (!WriteFile(process->to, next, size > 1 << 20 ? 1 << 20 : (DWORD)size, &count, NULL))
            return PL_ENDED;
        next += count;
        size -= count;
    }
    return PL_ARRIVED;
}

int pl_receive(pl_process *process, void *bytes, size_t size, double patience)
{
    char *next = bytes;
    ULONGLONG first = GetTickCount64();
    while (size > 0) {
        DWORD there = 0, count = 0;
        ULONGLONG waited = GetTickCount64() - first;
        if (!PeekNamedPipe(process->from, NULL, 0, NULL, &there, NULL))
            return PL_ENDED;
        if (there == 0) {
            if ((double)waited > 1e3 * patience)
                return PL_SILENT;
            if (waited < 20)
                SwitchToThread();
            else
                Sleep(1);
            continue;
        }
        if (!ReadFile(process->from, next, size > there ? there : (DWORD)size, &count, NULL))
            return PL_ENDED;
        next += count;
        size -= count;
        first = GetTickCount64();
    }
    return PL_ARRIVED;
}

int pl_is_running(pl_process *process)
{
    return WaitForSingleObject(process->process, 0) != WAIT_OBJECT_0;
}

void pl_end(pl_process *process, double patience, char *how, size_t size)
{
    DWORD code = 0;
    CloseHandle(process->to);
    CloseHandle(process->from);
    if (WaitForSingleObject(process->process, (DWORD)(1e3 * patience)) != WAIT_OBJECT_0) {
        TerminateProcess(process->process, 1);
        WaitForSingleObject(process->process, 5000);
        snprintf(how, size, "was ended");
    } else {
        GetExitCodeProcess(process->process, &code);
        snprintf(how, size, "ended with status %lu", (unsigned long)code);
    }
    CloseHandle(process->process);
    if (process->job != NULL)
        CloseHandle(process->job);
    free(process);
}

int pl_python_of_host(char *path, size_t size)
{
    HMODULE python = GetModuleHandleA("python3.dll");
    int (*is_running)(void);
    const WCHAR *(*program)(void);
    const WCHAR *text;
    const char *name;
    if (python == NULL)
        return 0;
    *(FARPROC *)&is_running = GetProcAddress(python, "Py_IsInitialized");
    *(FARPROC *)&program = GetProcAddress(python, "Py_GetProgramFullPath");
    if (is_running == NULL || program == NULL || !is_running() || (text = program()) == NULL)
        return 0;
    if (WideCharToMultiByte(CP_UTF8, 0, text, -1, path, (int)size, NULL, NULL) <= 0)
        return 0;
    name = strrchr(path, '\\');
    return name != NULL && strncmp(name + 1, "python", 6) == 0;
}

int pl_first_line(const char *path, char *line, size_t size)
{
    WCHAR *name = wide(path);
    FILE *file = name != NULL ? _wfopen(name, L"r") : NULL;
    int is_read = file != NULL && fgets(line, (int)size, file) != NULL;
    if (file != NULL)
        fclose(file);
    free(name);
    if (is_read)
        line[strcspn(line, "\r\n")] = 0;
    return is_read && line[0] != 0;
}

#else
typedef int pl_not_windows;
#endif
